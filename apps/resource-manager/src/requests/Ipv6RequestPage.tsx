import { RequestPage } from './RequestPage.tsx';

/** /resources/ipv6_request_form: IPv6 addresses, the first block or more. */
export default function Ipv6RequestPage() {
  return <RequestPage kind="ipv6" title="Request IPv6" sub="A first block for your network, or more space next to the one you have." />;
}
