/** The team of the demo's game: who saved what, and what each may do. */

export interface DemoPerson {
  readonly name: string;
  readonly role: 'owner' | 'editor' | 'viewer';
  /** Ids of the environments the role is for; null: all. */
  readonly environments: readonly string[] | null;
}

export const people = {
  nora: { name: 'Nora Lindqvist', role: 'owner', environments: null },
  tomas: { name: 'Tomás Ferreira', role: 'editor', environments: null },
  mei: { name: 'Mei Tanaka', role: 'editor', environments: null },
  jonas: { name: 'Jonas Weber', role: 'viewer', environments: null },
  pipeline: { name: 'level-pipeline', role: 'editor', environments: ['staging'] },
} as const satisfies Readonly<Record<string, DemoPerson>>;

export type PersonId = keyof typeof people;
