import { MigrationInterface, QueryRunner } from "typeorm";

export class Harbours1700000000000 implements MigrationInterface {
    name = "Harbours1700000000000";

    public async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`CREATE TABLE "harbours" ("id" integer PRIMARY KEY, "name" text NOT NULL)`);
    }

    public async down(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`DROP TABLE "harbours"`);
    }
}
