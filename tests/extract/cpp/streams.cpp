#include <sstream>

void restock(Ledger& ledger, int kind)
{
    std::stringstream sql;
    sql << "SELECT id FROM stores WHERE kind = " << kind;
    auto found = ledger.run(sql.str());
    for (const auto& row : found) {
        sql.clear();
        sql.str("");
        sql << "DELETE FROM shelves WHERE store = " << row[0];
        ledger.exec(sql.str());
    }
}

void upgrade(Ledger& ledger, int version)
{
    if (version < 5) {
        std::stringstream sql;
        sql << "UPDATE stores SET kind = " << KIND_ROPE;
        ledger.exec(sql.str());
    }
    if (version < 6) {
        std::ostringstream sql;
        sql << "UPDATE shelves SET kind = " << KIND_SAIL;
        ledger.exec(sql.str());
    }
}

static void tell(const std::string& what, const std::string id = "")
{
    log(what + id);
}

void drop(Ledger& ledger, int number)
{
    int id = number + 1;
    ledger.exec("DELETE FROM ropes WHERE id = " + std::to_string(id));
}

void chart(Ledger& ledger, const std::string& kind, const std::string& range)
{
    std::string table;
    if (range == "day") {
        if (kind == "tide")
            table = "tides";
        else if (kind == "wind")
            table = "winds";
        else
            return;
    } else {
        table = "years";
    }
    ledger.exec("SELECT level FROM " + table);
}

static const char* const yards[] = {"north", "south"};

void sweep(Ledger& ledger)
{
    for (const auto& yard : yards)
        ledger.exec(std::string("DELETE FROM ") + yard);
    for (const std::string& yard : {"east", "west"}) {
        ledger.exec("UPDATE " + yard + " SET swept = 1");
    }
}
