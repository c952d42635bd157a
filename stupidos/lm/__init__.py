"""Character n-gram models of clean and dirty text; they know no HTML."""
