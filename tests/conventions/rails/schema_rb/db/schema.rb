# This file is auto-generated from the current state of the database.

ActiveRecord::Schema[7.1].define(version: 2024_02_01_000000) do
  create_table "harbours", force: :cascade do |t|
    t.string "name", limit: 40, null: false
    t.integer "depth", default: 0
    t.datetime "created_at", null: false
    t.index ["name"], name: "index_harbours_on_name", unique: true
  end

  create_table "ships", id: :string, force: :cascade do |t|
    t.references "harbour", null: false
    t.decimal "weight", precision: 10, scale: 2
    t.boolean "afloat", default: true, null: false
    t.text "remark", default: "none"
    t.index ["harbour_id", "afloat"], name: "index_ships_on_harbour_id_and_afloat", where: "afloat = 1"
  end

  create_table "crews", id: false, force: :cascade do |t|
    t.bigint "ship_id", null: false
    t.bigint "sailor_id", null: false
  end

  add_index "crews", ["ship_id", "sailor_id"], name: "index_crews_on_ship_id_and_sailor_id", unique: true
  add_foreign_key "ships", "harbours"
end
