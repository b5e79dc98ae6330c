import { ResourcesRequestPage } from './ResourcesRequestPage.tsx';

/** /resources/ipv6_request_form: IPv6 addresses, the first block or more, and other numbers with them. */
export default function Ipv6RequestPage() {
  return <ResourcesRequestPage kind="ipv6" title="Request IPv6" />;
}
