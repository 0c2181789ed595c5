// A number with a point, 1.15, in a comment is no fault.
constexpr double WorthTrying = 1.15;
static constexpr unsigned MostPlans = 4;
bool isNear(double A, double B) { return A < 0.9 * B && A > 0.5 * B; }
