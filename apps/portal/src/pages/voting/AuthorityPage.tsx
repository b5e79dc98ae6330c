import { later } from '@portal/app-kit/page/later';

const AuthorityCeremony = later(() => import('./encrypted-parts.ts'), 'AuthorityCeremony');

/** `/voting/{electionId}/authority`. Its parts are loaded when it is opened. */
export default function AuthorityPage() {
  return <AuthorityCeremony />;
}
