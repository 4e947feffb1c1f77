import re

BY_COLUMN = 'SELECT id FROM shelf WHERE %s = ?'


class Shelves:
    ALL = 'SELECT id, label FROM shelf'

    def clean(self, label):
        return re.sub(r'a\'b', '_', re.sub(r"\"", '', label))

    def some(self, db):
        db.execute(self.ALL + ' WHERE kind = ?', (1,))
        db.execute(f'{self.ALL} WHERE label = ?', (1,))
        db.execute(BY_COLUMN % 'kind', (1,))

    def arms(self, db, kind):
        q = 'SELECT id FROM shelf'
        if kind:
            q += ' WHERE kind = ?'
        else:
            q += ' WHERE id = ?'
        db.execute(q, (1,))


def each(db):
    q = 'DELETE FROM %s WHERE book NOT IN (SELECT id FROM book)'
    db.execute(q % 'note')
    db.execute(q % 'mark')


def given(db):
    q = 'SELECT id FROM note WHERE %s = ?'
    q = q % 'book'
    db.execute(q, (1,))


def put_in(db):
    q = 'SELECT id FROM mark WHERE %s = ?'
    q %= 'book'
    db.execute(q, (1,))


def formatted(db):
    q = 'SELECT {0}.id FROM {0}'
    q = q.format('book')
    db.execute(q)


def formatted_there(db):
    q = 'SELECT {0}.label FROM {0}'
    print(q)
    db.execute(q.format('book') + ' WHERE id = 2')


def modulo(db, n):
    q = 'SELECT id FROM book WHERE id = ?'
    db.execute(q, (n % 2,))
    print(q + ' took long')


OPEN = 2


def numbered(db):
    db.execute(f'SELECT id FROM note WHERE state = {OPEN}')
    db.execute('SELECT id FROM mark WHERE state = %d' % OPEN)


def removes(db, link='', column=''):
    if link and column:
        db.execute(f'DELETE FROM {link} WHERE {column} = ?')


def orders(db, order=''):
    q = 'SELECT id FROM book WHERE label = ?'
    if order in ('id', 'label'):
        q += f' ORDER BY {order} DESC'
    db.execute(q, (1,))


def without(db, where=''):
    if not where:
        db.execute('SELECT id FROM shelf ' + where)


def shelf_name(label):
    """No label has no shelf: that way leads to no statement."""
    if not label:
        return ''
    return clean(label)


def books_of(db, label):
    return db.run('SELECT title FROM [{shelf}] WHERE lent = 1'.format(shelf=shelf_name(label)))
