import { later } from '@portal/app-kit/page/later';

const ProxyBallot = later(() => import('./encrypted-parts.ts'), 'ProxyBallot');

/** The vote of a proxy on encrypted ballots. Its parts are loaded when it is opened. */
export default function ProxyVotePage() {
  return <ProxyBallot />;
}
