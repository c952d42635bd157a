"""For people: why a segment was kept or dropped, and a bench to make a gold standard on."""
