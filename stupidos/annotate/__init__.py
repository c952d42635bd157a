"""The annotation tool: label pages in the browser, journaled on disk, and adapt the model to them."""
