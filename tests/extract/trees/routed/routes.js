const db = require('better-sqlite3')('store.db');

function setup(app) {
  db.exec('DELETE FROM drafts');
  app.get('/drafts', (request, response) => {
    response.json(db.prepare('SELECT id FROM drafts WHERE room = ?').all(request.query.room));
  });
}
