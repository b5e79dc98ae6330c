import { ResourcesRequestPage } from './ResourcesRequestPage.tsx';

/** /resources/ipv4_request_form: IPv4 addresses from the registry’s pool, and other numbers with them. */
export default function Ipv4RequestPage() {
  return <ResourcesRequestPage kind="ipv4" title="Request IPv4" />;
}
