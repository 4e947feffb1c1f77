import { MigrationInterface, QueryRunner } from "typeorm";

export class Ships1700000100000 implements MigrationInterface {
    public async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`CREATE TABLE "ships" ("id" integer PRIMARY KEY, "harbour" integer NOT NULL)`);
        await queryRunner.query(`CREATE INDEX "ships_by_harbour" ON "ships" ("harbour")`);
    }

    public async down(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`DROP INDEX "ships_by_harbour"`);
        await queryRunner.query(`ALTER TABLE "ships" RENAME TO "gone"`);
    }
}
