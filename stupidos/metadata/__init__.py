"""What a page says about itself: title, authors, dates, site, language and the like; start at extract.py."""
