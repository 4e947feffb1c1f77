using FluentMigrator.Builders.Create;

namespace Store
{
    public static class Shortcuts
    {
        public static ICreateTableWithColumnSyntax TableWithId(this ICreateExpressionRoot root, string name)
        {
            return root.Table(name).WithColumn("Id").AsInt32().PrimaryKey().Identity();
        }
    }
}
