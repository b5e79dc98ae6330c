import { useAccount } from '@portal/app-kit';
import { type Permission, whyNotGrantable } from '@portal/contract';
import type { Contact } from '@portal/contract/contacts/contacts';
import { Badge, Checkbox, Row, Sheet, Stack } from '@portal/ui';
import { decisionsOf, diffOf, isCorporate, roleOf, tick } from '../contact-form.ts';
import styles from '../Contact.module.css';
import { ContactTypesField } from '../ContactTypesField.tsx';
import type { Editing } from './contact-editing.ts';
import { permissionWords, typeWords } from '../contact-words.ts';
import { Maintainers } from '../Maintainers.tsx';
import { PermissionList } from '../PermissionList.tsx';

/** Contact types, permissions and maintainers: to change, to request, or to view. */
export function ContactRole({ before, form: { values: form, set, field }, open }: Editing & { before: Contact }) {
  const types = field('contactTypes');
  const permissions = field('permissions');
  const account = useAccount();
  const role = { contactTypes: before.contactTypes, permissions: before.permissions ?? [] };
  const after = roleOf(role, form);
  const changing = open.role === 'changing';
  const corporate = isCorporate(form);
  const decisions = decisionsOf(role);
  const decided = decisions.granted.length + decisions.withdrawn.length;
  const typesDiffer = diffOf(before, form).contactTypes !== null;
  const mayCorporate = open.role === 'asking' || isCorporate(account);
  const whyNot = (permission: Permission) =>
    whyNotGrantable(permission, { contactTypes: form.contactTypes, accountType: account.accountType }) ??
    (account.permissions.includes(permission) || before.permissions?.includes(permission) ? null : 'you don’t have it yourself');
  return (
    <>
      <Sheet title="Contact types">
        {open.role === 'reading' ? (
          <Stack gap={8}>
            <Row gap={4} wrap>
              {before.contactTypes.map(type => (
                <Badge key={type} kind="line">
                  {typeWords[type]}
                </Badge>
              ))}
            </Row>
            {before.isMe && <p className="small muted">Another contact has to change your own contact types and permissions.</p>}
          </Stack>
        ) : (
          <Stack gap={12}>
            <ContactTypesField
              id={types.id}
              legend="This person is"
              value={form.contactTypes}
              error={types.error}
              refused={mayCorporate ? {} : { corporate: 'Only a corporate contact can ask the registry for another one' }}
              onChange={contactTypes => set({ contactTypes, ticked: isCorporate({ contactTypes }) ? {} : form.ticked })}
            />
            {changing && typesDiffer && decided > 0 && !corporate && !isCorporate(before) && (
              <Checkbox
                checked={form.keepsDecisions}
                onChange={event => set({ keepsDecisions: event.target.checked })}
                help={[
                  ...(decisions.granted.length > 0 ? [`Granted: ${permissionWords(decisions.granted)}.`] : []),
                  ...(decisions.withdrawn.length > 0 ? [`Taken away: ${permissionWords(decisions.withdrawn)}.`] : []),
                ].join(' ')}
              >
                Keep permissions set by hand
              </Checkbox>
            )}
          </Stack>
        )}
      </Sheet>
      {before.permissions && open.role !== 'asking' && (
        <Sheet
          title="Permissions"
          id={permissions.id}
          tabIndex={-1}
          flush
          meta={
            permissions.error ? (
              <span className={styles.problem}>{permissions.error}</span>
            ) : (
              <span>
                {after.permissions.length} held
                {corporate ? ', like every corporate contact' : ''}
              </span>
            )
          }
        >
          <PermissionList
            held={after.permissions}
            before={before.permissions}
            contactTypes={form.contactTypes}
            onTick={changing && !corporate ? (permission, on) => set({ ticked: tick(role, form, permission, on) }) : undefined}
            whyNot={whyNot}
          />
        </Sheet>
      )}
      {before.maintainers && open.role !== 'asking' && (changing || before.maintainers.length > 0) && (
        <Maintainers held={form.maintainers} onChange={changing ? maintainers => set({ maintainers }) : undefined} />
      )}
    </>
  );
}
