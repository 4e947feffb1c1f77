module.exports = { client: "better-sqlite3", connection: { filename: "./harbours.db" } };
