"""Reports: why each segment of a page was kept or dropped."""
