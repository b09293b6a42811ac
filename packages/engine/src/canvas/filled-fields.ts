/** The fields that Hilo fills in the scopes that an author cannot write (VAR-04 to VAR-06, EVT-02). */
export const filledFields: { readonly [scope: string]: readonly string[] | undefined } = {
  $user: ['id', 'names', 'phone', 'phoneNumber', 'locale', 'timeZone', 'fields'],
  $campaign: ['id'],
  $bot: ['id', 'name', 'channel'],
  $company: ['id', 'name', 'plan', 'kind', 'settings', 'locale', 'timeZone', 'fields'],
};
