class CreateHarbours < ActiveRecord::Migration[7.1]
  def change
    create_table :harbours do |t|
      t.string :name, null: false
    end
  end
end
