import { parseChildRequest } from '@portal/rpki-objects';
import type { DemoRegistry } from '../../platform/demo.ts';
import { connectAuthority } from './children/self-hosted.ts';

/** The introduction (RFC 8183) of an authority that a member of the demo registry is setting up. No one has its private key. */
const childRequest = `<child_request xmlns="http://www.hactrn.net/uris/rpki/rpki-setup/" version="1" child_handle="natreg-xx">
<child_bpki_ta>
MIIDRjCCAi6gAwIBAgIBATANBgkqhkiG9w0BAQsFADAzMTEwLwYDVQQDEygyRDhFOTBGMTgwRTIxOTU0NzlGMjg4MTFEMTFCODE1MDE4OEMxRjlEMCAXDTIw
MDEwMTAwMDAwMFoYDzIwOTkxMjMxMDAwMDAwWjAzMTEwLwYDVQQDEygyRDhFOTBGMTgwRTIxOTU0NzlGMjg4MTFEMTFCODE1MDE4OEMxRjlEMIIBIjANBgkq
hkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyCJ5Fwr52J4j+qEjjC9T2XO3i43GibSve27ACWjD6cDSWPnqtcH9Hr1eIgUhT4CrlhzBKrl29Z0DaxTigpiBRKR7
uRTYNS8AQvcPO0b+8pur0Hu+jQBF3II93lbpOsttq5K3gdhA3bSI5tvUFlJZoTN0Cov2gWdt+ruexf9T7mmir2PzsH9WVa1RMcBrRSXz8vOehyt6TPGtoJss
owjEEkdJCiStajOxl7iGV70nxOZUGRqSRCxNOlWiQzsxEc+opw0PfaStBBNA3GJam7WVixzHOHHmWD8IHl5bZGl/l7YBd/+uoWHQQxPCmiquhG864Nb7a1Mt
gfgeU20O+0J9UQIDAQABo2MwYTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQtjpDxgOIZVHnyiBHRG4FQGIwfnTAfBgNVHSMEGDAWgBQtjpDxgOIZVHny
iBHRG4FQGIwfnTAOBgNVHQ8BAf8EBAMCAQYwDQYJKoZIhvcNAQELBQADggEBAIRDt94hdKTI3NIybnhnORYZxqs+QDAdH5J8YDgVqITEczEpzDAzn2ZkB6aC
hb6fKd89W4MNwe9dB2gT2CYUJlzcCks1FedUqScsl1Oi2XPPxOzKsIQh5uti9sI8QeqVkizH+P9u1BLbONt1tPhXHzmYLuJ9tTRh05alqnB5HPIpABMNHwVS
VL0G5noZT9ZGxv8H/gw/c2ZAoYdE2PBH0UUTD/R19SgnPxQfTRIER/eGcidV2ziyIAsrUayMk4QHi4a8+DQf/kiXRRg6Ec/6dJjwQijskqmiiTTsZbK7iqus
+57NjwMNcc0kHE6tlAc/wEKM9RHN/yAFc5g9ugwngv8=
</child_bpki_ta>
</child_request>
`;

/** Connects a certificate authority of a member's own, which has not asked for its certificate yet: the other files of the set-up wait to be saved. */
export const connectDemoAuthority = ({ changeAs, config }: DemoRegistry): Promise<void> =>
  changeAs({
    person: 'nils',
    accountName: 'NATREG-XX',
    action: 'rpki.selfHosted.connect',
    daysAgo: 6,
    dated: true,
    summary: 'Connected a self-hosted certificate authority',
    run: (change, { account }) => connectAuthority(change, account, parseChildRequest(childRequest), config),
  });
