// What is made of the title of an option, kept with the option: a message may name options a thousand times, and to fold a title takes longer
// than to compare it.

/** @param make - pure: what it made of an option is of use as long as the option is there */
export function ofTitle<Made>(make: (title: string) => Made): (option: { readonly title: string }) => Made {
  const known = new WeakMap<object, { readonly title: string; readonly made: Made }>();
  return (option) => {
    const { title } = option;
    const before = known.get(option);
    if (before?.title === title) return before.made;
    const made = make(title);
    known.set(option, { title, made });
    return made;
  };
}
