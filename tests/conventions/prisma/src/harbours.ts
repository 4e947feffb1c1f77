export const deep = (prisma: PrismaClient) =>
  prisma.$queryRaw`SELECT id, name FROM Harbour WHERE depth > ${20}`;
