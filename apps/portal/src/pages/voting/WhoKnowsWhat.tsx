import { Icon, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './WhoKnowsWhat.module.css';

/**
 * Shows what the portal and the voting system each learn of a vote, and what passes between them.
 * @param host that of another voting system, null for the registry's own ballot program
 */
export function WhoKnowsWhat({ votes, host }: { votes: string; host: string | null }) {
  return (
    <Sheet title="Who knows what">
      <div className={styles.parts}>
        <section>
          <h3>Portal</h3>
          <Known>Who voted, and when</Known>
          <Known>Who opened the ballot</Known>
          <Unknown>What you chose</Unknown>
        </section>
        <p className={styles.pass}>
          <span>Signed pass</span>
          <span className="quiet">{votes}</span>
        </p>
        <section>
          <h3>{host ?? 'Ballot program'}</h3>
          <Known>What was chosen</Known>
          {host === null ? (
            <>
              <Known>Receipts, which voters can check</Known>
              <Unknown>Whose ballot is whose, once stored</Unknown>
            </>
          ) : (
            <Known>Who voted</Known>
          )}
        </section>
      </div>
    </Sheet>
  );
}

function Known({ children }: { children: ReactNode }) {
  return (
    <p>
      <Icon name="check" /> <span>{children}</span>
    </p>
  );
}

function Unknown({ children }: { children: ReactNode }) {
  return (
    <p className="quiet">
      <Icon name="close" label="Not known:" /> <span>{children}</span>
    </p>
  );
}
