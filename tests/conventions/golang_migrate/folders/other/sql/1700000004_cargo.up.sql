CREATE INDEX ships_cargo ON ships (cargo);
