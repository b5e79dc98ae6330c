/** The portal of this very person asked to log out: nothing is left to ask. */
document.querySelector<HTMLFormElement>('form[data-send]')?.submit();
