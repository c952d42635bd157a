"""The annotation tool: label pages in the browser to make a gold standard."""
