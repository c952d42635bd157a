"""Many pages: folders, crawls and clusters.

Read in this order: sources (what there is to do), desk (one page to one record), batch (all of it, with
resume), workers (on every core). Spark and datatrove stand on sources and desk alone.
"""
