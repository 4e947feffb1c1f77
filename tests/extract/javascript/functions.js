// Functions in every form, loops, classes and tests.
import { open } from "./db.js";

export function byId(db, id) {
    return db.prepare("SELECT * FROM tasks WHERE id = ?").get(id);
}

export const byName = async (name) => {
    return await db.getFirstAsync("SELECT * FROM tasks WHERE name = ?", name);
};

const count = () => db.prepare("SELECT count(*) FROM tasks").get()
const total = function () { return db.prepare("SELECT sum(cost) FROM tasks").get(); };

export class Tasks extends Store {
    #db;
    static TABLE = "tasks";

    constructor(db) {
        super(db);
        this.#db = db;
    }

    async remove(id) {
        await this.#db.run("DELETE FROM tasks WHERE id = ?", [id]);
    }

    get open() {
        return this.#db.prepare("SELECT id FROM tasks WHERE done = 0").all();
    }

    find = (id) => this.#db.prepare("SELECT id FROM tasks WHERE parent = ?").get(id);

    saveAll(tasks) {
        const insert = this.#db.prepare("INSERT INTO tasks (id, name) VALUES (?, ?)");
        for (const task of tasks) {
            insert.run(task.id, task.name);
        }
        for (const task of tasks) this.remove(task.id);
        this.remove(0);
        tasks.forEach((task) => {
            this.#db.prepare("UPDATE tasks SET name = ? WHERE id = ?").run(task.name, task.id);
        });
    }
}

function pages(db) {
    for (let page = 0; page < 10; page++) {
        db.exec("UPDATE tasks SET page = 1 WHERE page = 0");
    }
    let more;
    do {
        more = db.prepare("SELECT id FROM tasks LIMIT 10").all();
    } while (more.length > 0);
    while (true) {
        if (!byId(db, 1)) break;
    }
    db.exec("VACUUM");
}

export default {
    async fetch(request, env) {
        const rows = await env.DB.prepare("SELECT id FROM tasks WHERE owner = ?").bind(request.owner).all();
        await env.DB.batch([
            env.DB.prepare("DELETE FROM tasks WHERE owner = ?").bind(request.owner),
            env.DB.prepare("INSERT INTO log (owner) VALUES (?)").bind(request.owner),
        ]);
        return rows;
    },
};

app.get("/tasks", async (context) => {
    const found = await knex.raw("SELECT id FROM tasks WHERE due < ?", [context.now]);
    return context.json(found);
});

export async function migrate(db) {
    db.exec(`
        CREATE TABLE tasks (id INTEGER PRIMARY KEY, name TEXT);
        CREATE INDEX tasks_name ON tasks (name);
    `);
    db.pragma("journal_mode = WAL");
}

const tableOf = (kind) => `app_${kind}`;

function columnsOf(kind, extra) {
    return kind === "tasks" ? `id, due, ${extra}` : "id";
}

export function due(db, kind) {
    db.prepare(`SELECT ${columnsOf("tasks", "owner")} FROM tasks WHERE due < ?`).all();
    return db.prepare(`SELECT id FROM ${tableOf("tasks")} WHERE due < ?`).all();
}
