SELECT id, name FROM ship WHERE owner IN (%s) ORDER BY name
