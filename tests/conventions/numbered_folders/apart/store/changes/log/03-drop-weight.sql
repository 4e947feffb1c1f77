UPDATE pages SET depth = 0 WHERE depth IS NULL;
