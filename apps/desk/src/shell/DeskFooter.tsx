import { optionalPart } from '@portal/app-kit/page/later';
import { Footer, Link } from '@portal/ui';

const ServiceState = optionalPart(() => import('@portal/app-kit/page/ServiceState'), 'ServiceState');

const year = new Date().getFullYear();

/** The footer of the desk: whether what the public uses works, the public pages about it, and whose desk it is. */
export function DeskFooter({ name }: { name: string }) {
  return (
    <Footer pulse={<ServiceState />}>
      <Link href="/numbers">Numbers</Link>
      <Link href="/help">Help</Link>
      <Link href="/api/openapi.json">API</Link>
      <Link href="/privacy">Privacy</Link>
      <Link href="/accessibility">Accessibility</Link>
      <span>
        © {year} {name}
      </span>
    </Footer>
  );
}
