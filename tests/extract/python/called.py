def equals(column):
    return f"{column} = ?"


def batched(connection, query, ids):
    for at in range(0, len(ids), 900):
        part = ids[at:at + 900]
        marks = "({})".format(",".join(["?"] * len(part)))
        yield from connection.execute(query.format(marks), part)


def of_quay(connection, quay):
    where = equals("quay")
    return connection.execute(f"SELECT id FROM ships WHERE {where}", (quay,)).fetchall()


def names(connection, ids):
    return list(batched(connection, "SELECT name FROM ships WHERE id IN {} ORDER BY name", ids))


def unknown(connection, filters):
    where = computed(filters)
    return connection.execute(f"SELECT quay FROM ships WHERE {where}").fetchall()
