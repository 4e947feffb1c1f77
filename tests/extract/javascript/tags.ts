// Templates with tags, and types between the two.
async function tags(sql: any, user: string) {
    await sql`SELECT id FROM notes WHERE owner = ${user}`;
    await sql<Note[]>`DELETE FROM notes WHERE owner = ${TABLE}`;
    styled.div`color: ${(props) => props.color};`;
}
