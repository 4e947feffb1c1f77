class CountShips < ActiveRecord::Migration[6.0]
  def up
    execute("UPDATE ships INNER JOIN harbours USING (id) SET ships.weight = 0")
  end
end
