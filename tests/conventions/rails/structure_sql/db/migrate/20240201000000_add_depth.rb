class AddDepth < ActiveRecord::Migration[7.1]
  def up
    execute("ALTER TABLE harbours ADD COLUMN depth integer")
  end
end
