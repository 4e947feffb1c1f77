export const ships = (manager: EntityManager, harbour: number) =>
    manager.query(`SELECT id FROM ships WHERE harbour = ?`, [harbour]);
