CREATE TABLE buoys (colour TEXT);
