import styles from './OrganisationPage.module.css';

/** One value before and after. */
export function Difference({ label, before, after }: { label: string; before: string; after: string }) {
  return (
    <div className={styles.pair}>
      <h3>{label}</h3>
      <del>
        <span className="vh">before: </span>
        {before || 'none'}
      </del>
      <ins>
        <span className="vh">after: </span>
        {after || 'none'}
      </ins>
    </div>
  );
}
