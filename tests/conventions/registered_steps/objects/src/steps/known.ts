export interface Step { version: number; title: string; up: string; down?: string }

const all: Step[] = [];
export const known = { add: (step: Step) => all.push(step) };

export function run(db, reached: number) {
  for (const step of all.sort((a, b) => a.version - b.version)) {
    if (step.version > reached) db.exec(step.up);
  }
}
