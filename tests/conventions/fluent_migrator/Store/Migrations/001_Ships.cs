using FluentMigrator;

namespace Store.Migrations
{
    [Migration(1)]
    public class Ships : Migration
    {
        public override void Up()
        {
            Create.TableWithId("Ships")
                .WithColumn("Name").AsString().NotNullable().Unique()
                .WithColumn("Flag").AsString().Nullable()
                .WithColumn("Cargo").AsInt32().WithDefaultValue(0);

            Create.Table("Harbours")
                .WithColumn("Code").AsString().PrimaryKey()
                .WithColumn("Old").AsBoolean();
        }

        public override void Down()
        {
            Delete.Table("Ships");
            Delete.Table("Harbours");
        }
    }
}
