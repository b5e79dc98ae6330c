import { Badge, Button, Chip, Field, FormColumn, Row, Sheet, Stack, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './Contact.module.css';

const maintainerName = /^[A-Z][A-Z0-9-]{1,78}[A-Z0-9]$/;

/** The whois maintainers a contact may use, as removable chips. */
export function Maintainers({ held, onChange }: { held: readonly string[]; onChange: ((held: string[]) => void) | undefined }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = () => {
    const name = typed.trim().toUpperCase();
    if (!maintainerName.test(name)) return setProblem('Enter a maintainer, such as MAINT-EXAMPLE-AU');
    if (!held.includes(name)) onChange?.([...held, name].sort());
    setTyped('');
    setProblem(undefined);
  };
  return (
    <Sheet title="Maintainers">
      <Stack gap={12}>
        {held.length === 0 ? (
          <p className="small muted">No maintainers. You need one to change whois objects.</p>
        ) : (
          <ul className={styles.chips} aria-label="Maintainers">
            {held.map(name => (
              <li key={name}>
                {onChange ? (
                  <Chip icon="close" aria-label={`Remove ${name}`} onClick={() => onChange(held.filter(each => each !== name))}>
                    <span className="mono">{name}</span>
                  </Chip>
                ) : (
                  <Badge kind="line">{name}</Badge>
                )}
              </li>
            ))}
          </ul>
        )}
        {onChange && (
          <FormColumn>
            <Field label="Add a maintainer" error={problem} optional>
              <Row top>
                <TextInput
                  mono
                  value={typed}
                  placeholder="MAINT-EXAMPLE-AU"
                  maxLength={80}
                  spellCheck={false}
                  autoComplete="off"
                  onChange={event => setTyped(event.target.value)}
                  onKeyDown={event => {
                    if (event.key !== 'Enter') return;
                    event.preventDefault();
                    add();
                  }}
                />
                <Button onClick={add}>Add</Button>
              </Row>
            </Field>
          </FormColumn>
        )}
      </Stack>
    </Sheet>
  );
}
