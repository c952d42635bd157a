"""Many pages: folders, crawls and clusters.

Read in this order: sources (inputs to units of work), page_task (one page to one record), batch (a whole run,
with resume), executor and workers (on all cores). Spark and datatrove use the readers and page_task alone.
"""
