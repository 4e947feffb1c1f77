// Markup: what stands between tags is no code.
const markup = (
    <p title="SELECT a note">
        Don't select <b>anything</b> from `here`.
    </p>
);


export function List({ db }: Props) {
    const rows = db.getAllSync("SELECT id FROM notes WHERE pinned = 1");
    return <ul>{rows.map((row) => <Row key={row.id} load={() => db.getFirstSync("SELECT body FROM notes WHERE id = ?", row.id)} />)}</ul>;
}
