import type { ReadyMadeRole } from '@portal/contract/staff-roles';

/** A person of the demo registry: the name signs in, the password is `demo-registry-<name>`. */
export type DemoPerson = {
  username: string;
  fullName: string;
  email: string;
  /** Description in one line: shown at start and on the sign-in page. */
  about: string;
  /** Secret of the second factor (RFC 4648 base 32); demo secrets are public, like the passwords. */
  totpSecret?: string;
  /** Roles of registry staff: ready-made ones by their keys, and the registry's own by their names. */
  roles?: readonly (ReadyMadeRole | 'Fees')[];
};

/** The people of the demo registry, one for each role. */
export const demoPeople: readonly DemoPerson[] = [
  {
    username: 'corin',
    fullName: 'Corin Achterberg',
    email: 'corin@example-au.example',
    about: 'corporate contact of EXAMPLE-AU and two more accounts, second factor',
    totpSecret: 'DEMOREGISTRYCORINDEMOREGISTRYCOR',
  },
  {
    username: 'tess',
    fullName: 'Tess Lindqvist',
    email: 'tess@example-au.example',
    about: 'technical contact of EXAMPLE-AU, second factor',
    totpSecret: 'DEMOREGISTRYTESSXDEMOREGISTRYTES',
  },
  {
    username: 'bill',
    fullName: 'Bill Okonkwo',
    email: 'bill@example-au.example',
    about: 'billing contact of EXAMPLE-AU, no second factor',
  },
  {
    username: 'tilda',
    fullName: 'Tilda Marchetti',
    email: 'tilda@example-au.example',
    about: 'technical and billing contact of EXAMPLE-AU',
  },
  { username: 'nadia', fullName: 'Nadia Haddad', email: 'nadia@newcomer.example', about: 'signed up, no account yet' },
  {
    username: 'nils',
    fullName: 'Nils Sorensen',
    email: 'nils@natreg.example',
    about: 'corporate contact of an NIR account, second factor',
    totpSecret: 'DEMOREGISTRYNILSXDEMOREGISTRYNIL',
  },
  {
    username: 'hana',
    fullName: 'Hana Watanabe',
    email: 'hana@oldnet.example',
    about: 'corporate contact of a historical and a non-member account',
  },
  {
    username: 'max',
    fullName: 'Max Fernandez',
    email: 'max@many.example',
    about: 'corporate contact of twelve accounts, one suspended, one closed',
  },
  { username: 'olive', fullName: 'Olive Tan', email: 'olive@other-sg.example', about: 'corporate contact of an unrelated account' },
  {
    username: 'stella',
    fullName: 'Stella Kowalski',
    email: 'stella@registry.example',
    about: 'registry staff (hostmaster, finance, elections, routing), second factor',
    totpSecret: 'DEMOREGISTRYSTELLADEMOREGISTRYST',
    roles: ['hostmaster', 'finance', 'elections', 'routing', 'Fees'],
  },
  {
    username: 'stan',
    fullName: 'Stan Petrov',
    email: 'stan@registry.example',
    about: 'registry staff with the same roles, who can approve what stella proposes, second factor',
    totpSecret: 'DEMOREGISTRYSTANXDEMOREGISTRYSTA',
    roles: ['hostmaster', 'finance', 'elections', 'routing', 'Fees'],
  },
  {
    username: 'ola',
    fullName: 'Ola Brandt',
    email: 'ola@registry.example',
    about: 'administrator of registry staff, second factor',
    totpSecret: 'DEMOREGISTRYOLAXXDEMOREGISTRYOLA',
    roles: ['administrator'],
  },
  {
    username: 'dora',
    fullName: 'Dora Nwosu',
    email: 'dora@registry.example',
    about: 'director (writes off and refunds) and returning officer of elections, second factor',
    totpSecret: 'DEMOREGISTRYDORAXDEMOREGISTRYDOR',
    roles: ['director', 'returning-officer'],
  },
  {
    username: 'ravi',
    fullName: 'Ravi Menon',
    email: 'ravi@registry.example',
    about: 'director and returning officer who can approve what dora proposes, and administrator, second factor',
    totpSecret: 'DEMOREGISTRYRAVIXDEMOREGISTRYRAV',
    roles: ['director', 'returning-officer', 'administrator'],
  },
  {
    username: 'fiona',
    fullName: 'Fiona Doi',
    email: 'fiona@registry.example',
    about: 'finance clerk, second factor',
    totpSecret: 'DEMOREGISTRYFIONADEMOREGISTRYFIO',
    roles: ['finance'],
  },
  {
    username: 'audra',
    fullName: 'Audra Lahde',
    email: 'audra@registry.example',
    about: 'auditor who reads everything and changes nothing, second factor',
    totpSecret: 'DEMOREGISTRYAUDRADEMOREGISTRYAUD',
    roles: ['auditor'],
  },
  {
    username: 'vera',
    fullName: 'Vera Lund',
    email: 'vera@registry.example',
    about: 'scrutineer, who approves what others do to elections, second factor',
    totpSecret: 'DEMOREGISTRYVERAXDEMOREGISTRYVER',
    roles: ['scrutineer'],
  },
];
