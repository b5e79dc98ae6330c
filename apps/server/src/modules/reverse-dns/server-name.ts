import { hostNameProblem } from '@portal/rpsl';

/** Returns the problem of a name server of a zone, null if there is none. `text` is a host name, with an address where it lies inside the zone. */
export function serverProblem(text: string): string | null {
  const [host = '', ...addresses] = text.trim().toLowerCase().split(/\s+/);
  const misnamed = hostNameProblem(host);
  if (misnamed !== null) return misnamed;
  if (addresses.length > 1) return 'Enter each address of a server as an entry of its own';
  return null;
}
