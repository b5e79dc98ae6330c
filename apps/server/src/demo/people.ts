/** A person of the demo registry: the name signs in, the password is `demo-registry-<name>`. */
export type DemoPerson = {
  username: string;
  fullName: string;
  email: string;
  /** Description in one line: shown at start and on the sign-in page. */
  about: string;
  /** Secret of the second factor (RFC 4648 base 32); demo secrets are public, like the passwords. */
  totpSecret?: string;
  staff?: boolean;
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
    about: 'registry staff (hostmaster), second factor',
    totpSecret: 'DEMOREGISTRYSTELLADEMOREGISTRYST',
    staff: true,
  },
  {
    username: 'stan',
    fullName: 'Stan Petrov',
    email: 'stan@registry.example',
    about: 'registry staff (hostmaster) who can approve what stella proposes, second factor',
    totpSecret: 'DEMOREGISTRYSTANXDEMOREGISTRYSTA',
    staff: true,
  },
];
