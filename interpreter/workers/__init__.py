"""Work done here, by several processes, or on a cluster: parts of it, in their order."""
