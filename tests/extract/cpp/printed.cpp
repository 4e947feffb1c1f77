// A function of the program's own prints these: what it is, nobody sees here.
void crate(Store& store, const std::string& mark)
{
	store.run(prepared("SELECT crate FROM crates WHERE mark = '%q' AND (note LIKE '%%%q%%' OR note = '')", mark));
	store.run(prepared("UPDATE crates SET weight = '%d', note = '%s' WHERE mark = '%q'", 3, "", mark));
	store.run("SELECT strftime('%s', packed), strftime('%d.%m.', packed) FROM crates WHERE note LIKE '%queue'");
}
