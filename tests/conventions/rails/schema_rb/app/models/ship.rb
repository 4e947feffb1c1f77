class Ship < ApplicationRecord
  def self.afloat_in(harbour)
    connection.execute("SELECT id FROM ships WHERE harbour_id = 1 AND afloat = 1")
  end
end
