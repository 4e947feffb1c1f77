using FluentMigrator;
using Store;

namespace Store.Migrations
{
    [Migration(2)]
    public class Calls : Migration
    {
        public override void Up()
        {
            Create.TableWithId("Calls")
                .WithColumn("Ship").AsInt64().ForeignKey("Ships", "Id")
                .WithColumn("Harbour").AsString()
                .WithColumn("Day").AsDateTime().Nullable();

            Create.Index("IX_Calls_Harbour").OnTable("Calls").OnColumn("Harbour").Ascending().OnColumn("Day").Descending();
            Create.Index().OnTable("Ships").OnColumn("Flag");

            Alter.Table("Ships").AddColumn("Owner").AsString().WithDefaultValue("nobody");
            Delete.Column("Old").FromTable("Harbours");
            Rename.Column("Cargo").OnTable("Ships").To("Load");
            Rename.Table("Harbours").To("Ports");

            IfDatabase("postgres").Create.Index("IX_Ports").OnTable("Ports").OnColumn("Code");
            IfDatabase(ProcessorIdConstants.PostgreSQL).Execute.Sql("ALTER TABLE Ports ALTER COLUMN Code TYPE VARCHAR(9)");
            IfDatabase("sqlite").Delete.Index("IX_Ships_Flag").OnTable("Ships");
        }

        public override void Down()
        {
            Delete.Table("Calls");
        }
    }
}
