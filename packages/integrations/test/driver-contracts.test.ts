import { describeEffectDriver } from '@hilo/testing/contracts';
import { openDatabaseStage } from './stages/database-stage.ts';
import { openHttpStage, openModelStage, openSoapStage, openStripeStage } from '../../drivers/test/stages/http-stages.ts';
import { openCodeStage, openFunctionStage } from '../../drivers/test/stages/sandbox-stages.ts';

const everything = ['babbles', 'breaks', 'floods', 'repeats'] as const;

describeEffectDriver('http', openHttpStage, { behaviours: everything });
describeEffectDriver('soap', openSoapStage, { behaviours: everything });
describeEffectDriver('model', openModelStage, { behaviours: everything });
describeEffectDriver('stripe', openStripeStage, { behaviours: everything });
describeEffectDriver('database', openDatabaseStage, { behaviours: everything, carriesKey: false });
describeEffectDriver('function', openFunctionStage, { behaviours: ['babbles', 'breaks', 'floods'] });
describeEffectDriver('code', openCodeStage, { behaviours: everything, carriesKey: false });
