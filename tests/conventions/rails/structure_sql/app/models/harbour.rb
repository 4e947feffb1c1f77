class Harbour < ApplicationRecord
  def self.deep
    connection.execute("SELECT id FROM harbours WHERE name = 'x' AND depth > 20")
  end
end
