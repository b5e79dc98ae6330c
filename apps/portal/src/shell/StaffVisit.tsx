import { useMaybeSession } from '@portal/app-kit';
import { Banner, Button, LinkButton } from '@portal/ui';

/** Says that registry staff looks at an account they are no contact of. */
export function StaffVisit() {
  const session = useMaybeSession();
  if (!session?.account?.asStaff) return null;
  const [first] = session.accounts;
  return (
    <div style={{ marginBottom: 16 }}>
      <Banner
        title={`You look at ${session.account.accountName} as registry staff.`}
        actions={
          first ? (
            <Button size="s" onClick={() => session.selectAccount(first.accountName)}>
              Back to {first.accountName}
            </Button>
          ) : (
            <LinkButton size="s" href="/staff/holders">
              Find another holder
            </LinkButton>
          )
        }
      >
        You can read here, not change.
      </Banner>
    </div>
  );
}
