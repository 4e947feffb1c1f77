//! The second migration of a harbour.
using Microsoft.EntityFrameworkCore.Migrations;

namespace Harbour.Migrations
{
    public partial class Loads : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.RenameTable(name: "Boats", newName: "Ships");
            migrationBuilder.AddColumn<long>(name: "Load", table: "Ships", type: "INTEGER", nullable: false, defaultValue: 0L);
            migrationBuilder.DropIndex(name: "IX_Boats_PortCode", table: "Ships");
            migrationBuilder.CreateIndex(
                name: "IX_Ships_PortCode_Load",
                table: "Ships",
                columns: new[] { "PortCode", "Load" },
                descending: new[] { false, true });
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.DropColumn(name: "Load", table: "Ships");
        }
    }
}
